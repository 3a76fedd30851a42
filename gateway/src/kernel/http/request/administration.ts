import type { FastifyRequest } from 'fastify';
import type { Parameter } from '../../api/catalogue/rows/parameter.js';
import { callerOf } from './authenticate.js';
import { formOf } from './form.js';
import { validValues } from './valid-values.js';

/** Parameters by name. */
export type Values = ReadonlyMap<string, string>;

/** Whose things a request is about: those of the caller's entities, or of all where an operator names none. */
type Reach = 'own' | 'all';

/** A merchant's request to an addition of ours. */
export interface Administration<R extends Reach = 'own'> {
  readonly values: Values;
  /** The entities whose things the caller may see and change; undefined: those of all, and the gateway's own. */
  readonly owners: readonly string[] | (R extends 'all' ? undefined : never);
  /** Who it is, for the audit. */
  readonly actor: string;
}

/** What may be done with a thing, by the last part of its path: the parameters of each step, and the step. */
export type Steps<Deps, Answer> = Readonly<
  Record<
    string,
    readonly [rows: readonly Parameter[], step: (deps: Deps, id: string, values: Values) => Promise<Answer>]
  >
>;

/**
 * The parameters of a request, and its caller.
 * @param reach `all`: a caller with the right of an operator who names no entity reaches those of all
 * @throws RequestRefused naming every fault, and for an entity that is not the caller's
 */
export async function readAdministration<R extends Reach = 'own'>(
  request: FastifyRequest,
  rows: readonly Parameter[],
  reach?: R,
): Promise<Administration<R>> {
  const values = validValues(formOf(request), rows);
  const caller = callerOf(request);
  const named = values.get('entityId');
  const isOfAll = reach === 'all' && named === undefined && caller.has('operator');
  const owners = isOfAll ? undefined : await caller.readableEntities(named);
  return { values, owners: owners as Administration<R>['owners'], actor: caller.actor };
}
