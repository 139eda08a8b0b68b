"""A program on the Kubernetes project's client for Python: typed, dynamic, a watch, logs and errors. Prints a line for each."""

import kubernetes
from kubernetes import client, config, dynamic, watch

config.load_kube_config()
core = client.CoreV1Api()

made = core.create_namespaced_config_map("default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="a"), data={"at": "1"}))
print("made", made.metadata.name, made.metadata.creation_timestamp.tzinfo is not None)
try:
    core.create_namespaced_config_map("default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="a")))
except client.ApiException as error:
    print("refused", error.status, error.reason)

follower = watch.Watch()
first = core.list_namespaced_config_map("default", field_selector="metadata.name=a")
core.patch_namespaced_config_map("a", "default", {"data": {"at": "2"}})
core.delete_namespaced_config_map("a", "default")
for event in follower.stream(
    core.list_namespaced_config_map,
    "default",
    field_selector="metadata.name=a",
    resource_version=first.metadata.resource_version,
    timeout_seconds=60,
):
    print("event", event["type"], event["object"].data)
    if event["type"] == "DELETED":
        follower.stop()

# A job until its end, and the log of its pod.
template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}
client.BatchV1Api().create_namespaced_job("default", {"metadata": {"name": "hello"}, "spec": {"template": template}})
for event in follower.stream(client.BatchV1Api().list_namespaced_job, "default", timeout_seconds=60):
    if event["object"].status.succeeded == 1:
        follower.stop()
[pod] = core.list_namespaced_pod("default", label_selector="job-name=hello").items
print("log", core.read_namespaced_pod_log(pod.metadata.name, "default").split(":")[0])

found = dynamic.DynamicClient(client.ApiClient())
deployments = found.resources.get(api_version="apps/v1", kind="Deployment")
labels = {"app": "a"}
body = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "a"},
    "spec": {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}},
    },
}
applied = found.server_side_apply(deployments, body=body, namespace="default", field_manager="python")
print("applied", applied.spec.replicas, applied.metadata.managedFields[0].operation)
