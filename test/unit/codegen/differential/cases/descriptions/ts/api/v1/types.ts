// +groupName=docs.example.com
// +tsop:maxDescLen=40
// +tsop:embeddedObjectMeta
import type { ObjectMeta } from "tsop";
import type { PersistentVolumeClaimTemplate } from "tsop/k8s/core/v1";

export interface LibrarySpec {
  /** One sentence. Another one, which is too long for the limit. */
  sentences: string;
  /** No sentence ends within the words that the limit leaves of this text */
  words: string;
  /** https://example.com/one-word-without-any-space-that-is-too-long */
  word: string;
  /** Short */
  short: string;
  /** Größe und Länge der Bücher in Zentimetern, je Band */
  umlauts: string;
  /** The claims of the volumes, one for each shelf. */
  claims?: PersistentVolumeClaimTemplate[];
}

/**
 * Library is the Schema for the libraries API. It has books.
 *
 * +kubebuilder:object:root=true
 */
export interface Library {
  metadata: ObjectMeta;
  spec: LibrarySpec;
}
