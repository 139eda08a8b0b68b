/** Messages about a program in a pod. A connection that fails before anything is said is one: the API server answers. */
export const isUnreached: RegExp =
  /no such host|dial (tcp|udp)|connect: connection refused|ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|UnknownHostException|Name or service not known|no containers run here/;
