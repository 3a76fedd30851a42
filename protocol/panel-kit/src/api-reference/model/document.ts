/** JSON Schema of a value, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | null)[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** The name that a pattern of names stands for, such as `cart.items[n].name`. */
  readonly 'x-name'?: string;
  /** True: the value is in no log and no answer. */
  readonly 'x-sensitive'?: boolean;
}

/** What is sent or answered, by its media type. */
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

/** A parameter of a path, a query or a header. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** An answer by its status. */
interface ResponseObject {
  readonly description?: string;
  readonly content?: Content;
}

/** An operation as the document has it. */
export interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Content };
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses?: Readonly<Record<string, ResponseObject>>;
  readonly 'x-addition'?: boolean;
}

/** An OpenAPI 3.1 document, as far as the page reads it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly 'x-displayName'?: string;
  }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  readonly security?: OperationObject['security'];
}

/** An operation with what names it. */
export interface Operation {
  /** Its permalink, after the `#`. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly object: OperationObject;
}

/** Operations for one purpose. */
export interface OperationGroup {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
/** The name of what has no tag. */
const OTHER = 'other';

/** The operations of a document by their first tag, in the order of its tags. */
export function groupsOf({ tags = [], paths }: ApiDocument): readonly OperationGroup[] {
  const byTag = new Map<string, Operation[]>(tags.map(({ name }) => [name, []]));
  for (const operation of operationsIn(paths)) {
    const [tag = OTHER] = operation.object.tags ?? [];
    byTag.set(tag, [...(byTag.get(tag) ?? []), operation]);
  }
  return [...byTag]
    .filter(([, operations]) => operations.length > 0)
    .map(([name, operations]) => {
      const tag = tags.find((each) => each.name === name);
      return {
        name,
        title: tag?.['x-displayName'] ?? titleOf(name),
        description: tag?.description ?? '',
        operations,
      };
    });
}

function operationsIn(paths: ApiDocument['paths']): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, object]) => ({
        id: object.operationId ?? operationId(method, path),
        method: method.toUpperCase(),
        path,
        summary: object.summary ?? '',
        object,
      })),
  );
}

/** The name of an operation that has none: `getV1SalesReference`. */
export function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A schema behind its references. */
export function resolved(document: ApiDocument, schema: Schema = {}): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(document, document.components?.schemas?.[name]);
}

/** The rights of which a token needs one; undefined: the call needs no token. */
export function rightsOf(document: ApiDocument, { object }: Operation): readonly string[] | undefined {
  const security = object.security ?? document.security ?? [];
  if (security.length === 0) return undefined;
  return [...new Set(security.flatMap((each) => Object.values(each).flat()))];
}
