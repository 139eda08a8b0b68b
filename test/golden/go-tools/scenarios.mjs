// The same projects as commands of the Go tools.
const init = (name, flags = "") =>
  `init --domain example.com --repo example.com/${name} --project-name ${name}${flags}`;
const api = (flags) => `create api ${flags} --resource --controller`;
const memcached = api("--group cache --version v1alpha1 --kind Memcached");

export const scenarios = [
  { name: "minimal", tool: "kubebuilder", commands: [init("minimal"), memcached] },
  { name: "minimal", tool: "operator-sdk", commands: [init("minimal"), memcached] },
  { name: "namespaced", tool: "kubebuilder", commands: [init("tenant", " --namespaced"), memcached] },
  {
    name: "multigroup",
    tool: "kubebuilder",
    commands: [
      init("fleet", " --multigroup"),
      api("--group ship --version v1beta1 --kind Frigate"),
      api("--group ship --version v1 --kind Destroyer"),
      api("--group sea-creatures --version v1beta1 --kind Kraken"),
      api("--group crew --version v1 --kind Captain"),
      "create api --group crew --version v2 --kind Captain --resource --controller=false",
    ],
  },
  {
    name: "webhooks",
    tool: "kubebuilder",
    commands: [
      init("hooks"),
      memcached,
      "create webhook --group cache --version v1alpha1 --kind Memcached --defaulting --programmatic-validation",
      "create api --group cache --version v1 --kind Memcached --resource --controller=false",
      "create api --group cache --version v1beta1 --kind Memcached --resource --controller=false",
      "create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1,v1beta1",
    ],
  },
];

/** The kustomizations that are built and compared, if the tool scaffolds them. */
export const builds = [
  "config/default",
  "config/prometheus",
  "config/network-policy",
  "config/samples",
  "config/scorecard",
];
