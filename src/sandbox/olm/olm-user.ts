/** The user of OLM's requests. */
export const olmUser = "system:serviceaccount:olm:olm-operator-serviceaccount";
