// Which incidents to open, to see again and to end, when all that hold of some kinds are known at once.
import type { FactsOf, IncidentKind, IncidentMove, IncidentSeverity } from './incident-kind.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** At most one incident of a key is open. */
export type IncidentKey<Kind extends IncidentKind = IncidentKind> = {
  readonly kind: Kind;
  /** The id of the thing that the kind is about. */
  readonly subject: string;
  /** Where it concerns one instrument of it. */
  readonly symbol?: Symbol | null;
};

export type NewIncident<Kind extends IncidentKind = IncidentKind> = IncidentKey<Kind> & {
  /** Of the kind: `facts: {}` where it has none. */
  readonly facts: FactsOf<Kind>;
  /** Of an incident that began before it was noted. */
  readonly since?: WallInstant;
  readonly connectionId?: BrokerConnectionId | null;
  readonly accountId?: BrokerAccountId | null;
  readonly deploymentId?: DeploymentId | null;
  /** Where the facts say who must act, or how soon; the kind's otherwise. */
  readonly move?: IncidentMove;
  readonly severity?: IncidentSeverity;
};

export function incidentSlot({ kind, subject, symbol }: IncidentKey): string {
  return `${kind} ${subject} ${symbol ?? ''}`;
}

type IncidentChanges = {
  /** Opened, or seen again. */
  readonly held: readonly NewIncident[];
  readonly ended: readonly IncidentKey[];
};

/** `open` and `wanted` are of the same kinds and scope; of two wanted ones of a key the last counts. */
export function incidentChanges(
  open: readonly IncidentKey[],
  wanted: readonly NewIncident[],
): IncidentChanges {
  const held = new Map(wanted.map((one) => [incidentSlot(one), one]));
  return { held: [...held.values()], ended: open.filter((one) => !held.has(incidentSlot(one))) };
}
