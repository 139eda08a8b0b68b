"""A typical operator on kopf: a ConfigMap for each Gadget, a status, and a finalizer."""

import kopf
import kubernetes


@kopf.on.startup()
def load(settings, **_):
    kubernetes.config.load_kube_config()
    settings.posting.enabled = True


@kopf.on.create("example.com", "v1", "gadgets")
def made(spec, name, namespace, patch, **_):
    body = {"metadata": {"name": name}, "data": {"size": str(spec["size"])}}
    kopf.adopt(body)
    kubernetes.client.CoreV1Api().create_namespaced_config_map(namespace, body)
    patch.status["size"] = spec["size"]


@kopf.on.update("example.com", "v1", "gadgets", field="spec.size")
def changed(new, name, namespace, patch, **_):
    body = {"data": {"size": str(new)}}
    kubernetes.client.CoreV1Api().patch_namespaced_config_map(name, namespace, body)
    patch.status["size"] = new


@kopf.on.delete("example.com", "v1", "gadgets")
def ended(name, **_):
    print("ended", name, flush=True)
