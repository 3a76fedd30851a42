import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { Egress } from '../../kernel/egress/egress.js';
import type { EgressRules } from '../../kernel/egress/target.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookKeys } from './webhook-keys.js';

/** Collaborators of the work on endpoints. */
export type SharedWebhookDeps = Omit<WebhookDeps, 'actor' | 'owners'> & { readonly clock: Clock };

/** Puts the parts together. */
export function sharedWebhookDeps({
  tokenKey,
  ...parts
}: {
  readonly store: WebhookDeps['store'];
  readonly clock: Clock;
  readonly random: Random;
  readonly tokenKey: KeyObject;
  readonly rules: EgressRules;
}): SharedWebhookDeps {
  const { clock, random, rules } = parts;
  return { ...parts, keys: new WebhookKeys(tokenKey, random), egress: new Egress({ ...rules, clock }) };
}
