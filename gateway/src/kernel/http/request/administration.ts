import type { FastifyRequest } from 'fastify';
import type { Parameter } from '../../api/catalogue/rows/parameter.js';
import { callerOf } from './authenticate.js';
import { formOf } from './form.js';
import { validValues } from './valid-values.js';

/** Parameters by name. */
export type Values = ReadonlyMap<string, string>;

/** A merchant's request to an addition of ours. */
export interface Administration {
  readonly values: Values;
  /** The entities whose things the caller may see and change. */
  readonly owners: readonly string[];
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

/** The parameters of a request, and its caller. @throws RequestRefused naming every fault, and for an entity that is not the caller's */
export async function readAdministration(
  request: FastifyRequest,
  rows: readonly Parameter[],
): Promise<Administration> {
  const values = validValues(formOf(request), rows);
  const caller = callerOf(request);
  const owners = await caller.readableEntities(values.get('entityId'));
  return { values, owners, actor: caller.actor };
}
