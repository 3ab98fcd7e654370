import { z } from 'zod';
import { KILL_SWITCH_SCOPES } from '#rules/operations/kill-switch.ts';
import { reason } from './adjustments.ts';

export const killSwitch = z
  .object({
    id: z.string(),
    scope: z.enum(KILL_SWITCH_SCOPES),
    /** The id of the broker, the strategy, the client or the deployment; null for all users. */
    target: z.string().nullable(),
    /** A broker's or strategy's name, a client's e-mail, a deployment's strategy and account; empty for all users. */
    name: z.string(),
    /** Whether orders that work at the broker are cancelled too, protective stops included. */
    cancels_orders: z.boolean(),
    reason: z.string(),
    /** The e-mail of the person who turned it on. */
    set_by: z.string(),
    /** Real time. */
    set_at: z.string(),
    /** Deployments halted by it, without ended ones. */
    deployments: z.number(),
  })
  .meta({ id: 'KillSwitch' });

export type KillSwitch = z.infer<typeof killSwitch>;

export const setKillSwitchBody = z
  .object({
    scope: z.enum(KILL_SWITCH_SCOPES, 'Choose what to halt: global, broker, strategy, client or deployment'),
    /** A broker's or strategy's id or slug, a client's id or e-mail, a deployment's id; left out for all users. */
    target: z.string().trim().min(1).max(254).optional(),
    cancels_orders: z.boolean('Choose whether open orders are cancelled too'),
    reason,
  })
  .superRefine(({ scope, target }, context) => {
    if ((scope === 'global') !== (target === undefined))
      context.addIssue({
        code: 'custom',
        path: ['target'],
        message: scope === 'global' ? 'A global halt has no target' : `Name the ${scope} to halt`,
      });
  })
  .meta({ id: 'SetKillSwitchRequest' });

export const tradingHalt = z
  .object({
    is_on: z.boolean(),
    /** Whether orders that work at the broker are cancelled too, protective stops included. */
    cancels_orders: z.boolean(),
    /** Real time; null while it is off. */
    since: z.string().nullable(),
  })
  .meta({ id: 'TradingHalt' });

export type TradingHalt = z.infer<typeof tradingHalt>;
