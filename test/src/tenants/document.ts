/** The part of an OpenAPI document that the matrix reads. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, FormSchema>> };
}

interface FormSchema {
  readonly $ref?: string;
  readonly allOf?: readonly FormSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
}

interface ValueSchema {
  readonly pattern?: string;
}

interface Operation {
  readonly 'x-addition'?: true;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: ValueSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: FormSchema }>> };
  readonly security: readonly { readonly token?: readonly string[]; readonly session?: readonly [] }[];
}

/** A route of the document. */
export interface Route {
  /** Such as `GET /v1/payments/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isAddition: boolean;
  /** Alternatives; each lists the rights that a token needs. */
  readonly security: readonly (readonly string[])[];
  readonly parameters: readonly Parameter[];
}

/** A parameter or header of a route. */
interface Parameter {
  readonly name: string;
  /** Its name or its form is that of an id. */
  readonly isIdLike: boolean;
}

const ID_NAME = /(?:\bid|Id|Ids|Uuid|ksn|[sS]erial\w*|[rR]eference|[tT]oken\w*|-Key|[rR]egistration)\b/;
const ID_FORM = /\[0-9a-f\]\{32/;

/** Every route of the document with its parameters, wherever they stand. */
export function routesOf(document: ApiDocument): Route[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      isAddition: operation['x-addition'] === true,
      // The session of a user is no token.
      security: operation.security.flatMap(({ token }) => (token ? [token] : [])),
      parameters: [
        ...(operation.parameters ?? []).map(({ name, in: place, schema }) =>
          parameter(name, schema, place === 'path'),
        ),
        ...formOf(document, operation),
      ],
    })),
  );
}

function formOf({ components }: ApiDocument, { requestBody }: Operation): Parameter[] {
  const [content] = Object.values(requestBody?.content ?? {});
  const parametersOf = ({ $ref, allOf, ...own }: FormSchema): Parameter[] => {
    const schema = $ref === undefined ? own : components.schemas[$ref.split('/').at(-1) ?? ''];
    return [
      ...(allOf ?? []).flatMap(parametersOf),
      ...Object.entries(schema?.properties ?? {}).map(([name, value]) => parameter(name, value)),
      ...Object.entries(schema?.patternProperties ?? {}).map(([name, value]) =>
        parameter(rowName(name), value),
      ),
    ];
  };
  return content ? parametersOf(content.schema) : [];
}

function parameter(name: string, schema: ValueSchema = {}, isId = false): Parameter {
  return { name, isIdLike: isId || ID_NAME.test(name) || ID_FORM.test(schema.pattern ?? '') };
}

/** The name of a catalogue row by the pattern of its parameters. */
function rowName(pattern: string): string {
  return pattern
    .slice(1, -1)
    .replaceAll(/\\\[\([^)]*\)\\\]/g, '[n]')
    .replaceAll(/\\\[[^\]]*\](?:\+|\{[\d,]+\})\\\]/g, '[key]')
    .replace(/\([A-Z|]+\)/, '<scheme>')
    .replaceAll('\\.', '.');
}
