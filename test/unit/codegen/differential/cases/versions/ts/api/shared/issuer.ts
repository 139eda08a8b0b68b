/**
 * Issuer points to who signs.
 * It may stand in any namespace.
 */
export interface Issuer {
  /**
   * name of the issuer
   * +kubebuilder:validation:MinLength=1
   */
  name: string;
  // +kubebuilder:default=Issuer
  kind?: "Issuer" | "ClusterIssuer";
}

/**
 * DNSName is a host.
 * +kubebuilder:validation:Format=hostname
 * +kubebuilder:validation:MaxLength=253
 */
type DNSName = string;

export type { DNSName as Host };
