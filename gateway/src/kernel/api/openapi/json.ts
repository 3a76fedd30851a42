/** A JSON value; documents are built of these alone. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}
