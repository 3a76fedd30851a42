import type {
  Static,
  TArray,
  TArrayOptions,
  TBoolean,
  TInteger,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnsafe,
} from 'typebox';

export type { Static, TProperties, TSchema };

/** Schemas of keys that may be absent. */
const optional = new WeakSet<TSchema>();

/**
 * Makes JSON schemas with the static types of TypeBox. Its own functions of these names make the same, but a program that imports them
 * loads 370 files, a quarter of its start.
 */
export const Type = {
  /** A mapping; every key is required that is not {@link Type.Optional}. */
  Object<P extends TProperties>(properties: P, options?: TObjectOptions): TObject<P> {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as TSchema));
    const rest = required.length > 0 ? { required } : {};
    return { type: 'object', ...rest, properties, ...options } as unknown as TObject<P>;
  },
  /** The schema of a key that may be absent. */
  Optional<T extends TSchema>(schema: T): TOptional<T> {
    const copy = { ...schema } as TOptional<T>;
    optional.add(copy);
    return copy;
  },
  Array<T extends TSchema>(items: T, options?: TArrayOptions): TArray<T> {
    return { type: 'array', items, ...options } as TArray<T>;
  },
  String: (options?: TStringOptions) => ({ type: 'string', ...options }) as TString,
  Integer: (options?: TNumberOptions) => ({ type: 'integer', ...options }) as TInteger,
  Boolean: (options?: TSchemaOptions) => ({ type: 'boolean', ...options }) as TBoolean,
  /** A schema as it is, of a stated type. */
  Unsafe: <T>(schema: TSchema) => schema as TUnsafe<T>,
};
