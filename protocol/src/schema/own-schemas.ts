import type { TSchema } from './type.js';
import { validatorOf } from './validator.js';

/** Fastify's types name fields of errors that nobody reads. */
const buildValidator = (() => (route: { readonly schema: unknown }) =>
  validatorOf(route.schema as TSchema)) as never;
const buildSerializer = () => () => JSON.stringify;

/**
 * Options of a server of Fastify whose schemas are our own. The libraries that compile schemas otherwise are not loaded then, which would be a
 * tenth of a program's start.
 */
export const OWN_SCHEMAS = { schemaController: { compilersFactory: { buildValidator, buildSerializer } } };
