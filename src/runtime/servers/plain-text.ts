import type { ServerResponse } from "node:http";

/** Responds with plain text that browsers do not interpret, as Go's servers do. */
export function plainText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  response.end(text);
}

export function pageNotFound(response: ServerResponse): void {
  plainText(response, 404, "404 page not found\n");
}
