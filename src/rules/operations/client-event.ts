// Words for what happened to a client, as support reads them.

export type ClientEventFacts =
  | { readonly kind: 'agreement'; readonly version: string }
  | { readonly kind: 'connected'; readonly broker: string }
  | { readonly kind: 'halted' | 'halt_lifted'; readonly by: string; readonly because: string }
  | { readonly kind: 'viewed'; readonly by: string };

/** A title, and a sentence where there is more to say. */
export function clientEventText(facts: ClientEventFacts): {
  readonly title: string;
  readonly message: string | null;
} {
  switch (facts.kind) {
    case 'agreement':
      return { title: 'Signed the agreement', message: `Version ${facts.version}.` };
    case 'connected':
      return { title: `Connected ${facts.broker}`, message: null };
    case 'halted':
      return { title: 'Trading was halted', message: `By ${actorName(facts.by)}, because ${facts.because}.` };
    case 'halt_lifted':
      return { title: 'The halt was lifted', message: `By ${actorName(facts.by)}.` };
    case 'viewed':
      return { title: 'Support looked at this page', message: `${actorName(facts.by)}.` };
  }
}

/** Without the kind of actor, which the audit log puts before the name. */
function actorName(actor: string): string {
  return actor.startsWith('client:') ? 'the client' : actor.slice(actor.indexOf(':') + 1);
}
