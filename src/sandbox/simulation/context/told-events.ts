/** Names and numbers of the events told so far, by all that makes them the same. */
export type ToldEvents = Map<string, { readonly name: string; count: number }>;
