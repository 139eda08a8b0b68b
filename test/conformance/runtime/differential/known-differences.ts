/** Differences between tsop and controller-runtime, and their reasons. The list may only shrink. */
export interface KnownDifference {
  /** Matches `part/key/…` of an observation. */
  readonly at: RegExp;
  readonly reason: string;
}

const unreadable =
  "a body that is not JSON|a body that is too large|a content type with a charset|an empty body|another content type";

export const knownDifferences: readonly KnownDifference[] = [
  { at: /^requests\/start$/, reason: "a Kind knows its plural and scope, so that no discovery is needed" },
  { at: /^requests\/leases$/, reason: "a request's timeout is kept by aborting it, without telling the server" },
  {
    at: /^(requests\/events of delete the Deployment|objects\/event\/)/,
    reason: "the same event about another version of an object is the same event: it counts, where Go makes a new one",
  },
  { at: /^metrics\/tsop_/, reason: "Go has no event loop that could be blocked, and client-go's reflectors are not measured" },
  { at: /^metrics\/process_(cpu_(system|user)_seconds_total|heap_bytes)\//, reason: "prom-client tells more of the process" },
  {
    at: /^metrics\/process_(network_(receive|transmit)_bytes_total|virtual_memory_max_bytes)\//,
    reason: "prom-client doesn't tell this of the process",
  },
  {
    at: /^log\/(Attempting to acquire leader lease\.\.\.|Successfully acquired lease)$/,
    reason: "client-go writes it to a logger of its own, for people, where no program finds it",
  },
  {
    at: /^log\/<identity> stopped leading$/,
    reason: "Go's process is gone before its recorder has told of it, though the elector does",
  },
  {
    at: /^log\/(Caches populated|Exiting watch because .*|Listing and watching|Starting reflector|Stopping reflector)$/,
    reason: "lines of client-go's reflector for those who debug it, at verbosity 2 and above",
  },
  {
    at: /^log\/(Registering a (mutating|validating) webhook|Conversion webhook enabled)$/,
    reason: "said once, with the path: Registering webhook",
  },
  {
    at: /^log\/Reconcile done, requeueing after 1h0m0s$/,
    reason: "a message never varies, so that it can be searched for: Reconcile successful",
  },
  {
    at: /^log\/No webhook is registered for the path of a request$/,
    reason: "Go answers 404 and says nothing, and the API server does not tell its client which path it asked for",
  },
  { at: /^log\/Warning: Reconciler returned both /, reason: "who throws can't return a result as well" },
  {
    at: new RegExp(`^reviews/(${unreadable})/body/(kind|apiVersion)$`),
    reason: "an answer to what can't be read says what it is, as every answer does",
  },
  { at: /^reviews\/a body of another kind\/body\//, reason: "says that it is no AdmissionReview, instead of repeating its kind" },
  { at: /^reviews\/a body that is not JSON\/body\/response\/status\/message$/, reason: "another parser has other words" },
  {
    at: /^reviews\/(a default.*\/body\/response\/patch\/1|from the hub\/body\/response\/convertedObjects\/0\/status)/,
    reason: "a Go type writes an empty status, which plain JSON doesn't have",
  },
  {
    at: /^reviews\/(a kind that nobody converts|to a version that is not there|to its own version)\/body\/response\/result\/message$/,
    reason: "Go tells about its scheme and its types, which there are none of here",
  },
  { at: /^reviews\/a list of nothing\/body\/response\/convertedObjects$/, reason: "a list of nothing is an empty list" },
]; // prettier-ignore
