// What a route answers, before it is written to the wire.

export type Answer = {
  readonly status: number;
  /** JSON. */
  readonly body?: unknown;
  readonly html?: string;
  readonly location?: string;
  /** The connection ends without any answer. */
  readonly isLost?: true;
};

export function json(body: unknown, status = 200): Answer {
  return { status, body };
}

export function page(html: string, status = 200): Answer {
  return { status, html };
}

/** Nothing but a status, as after ten seconds without an answer from behind. */
export function empty(status: number): Answer {
  return { status };
}

export function problem(detail: string): Answer {
  return json({ type: 'about:blank', title: 'Unauthorized', status: 401, detail }, 401);
}

export const BAD_GATEWAY: Answer = {
  status: 502,
  html: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>',
};
