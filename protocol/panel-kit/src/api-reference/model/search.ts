import { type ApiCodes, findCodes, type ResultCodeRow } from './codes.js';
import type { ApiDocument, Operation, OperationGroup } from './document.js';
import { parametersOf } from './parameters.js';

/** A parameter, and the operations that take it. */
export interface FoundParameter {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** What a search finds. */
export interface Found {
  readonly operations: readonly Operation[];
  readonly parameters: readonly FoundParameter[];
  readonly resultCodes: readonly ResultCodeRow[];
}

/** Finds operations, parameters and result codes by words. */
export class SearchIndex {
  readonly #operations: readonly {
    readonly operation: Operation;
    readonly text: string;
    readonly title: string;
  }[];
  readonly #document: ApiDocument;
  #parameters: readonly FoundParameter[] | undefined;

  constructor(document: ApiDocument, groups: readonly OperationGroup[]) {
    this.#document = document;
    this.#operations = groups.flatMap(({ title, operations }) =>
      operations.map((operation) => {
        const { id, method, path, summary } = operation;
        return {
          operation,
          text: `${method} ${path} ${summary} ${id}`.toLowerCase(),
          title: title.toLowerCase(),
        };
      }),
    );
  }

  /** Everything that has each word of a text. */
  find(sought: string, { resultCodes }: Pick<ApiCodes, 'resultCodes'>): Found {
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text: string) => words.every((word) => text.includes(word));
    const [first = ''] = words;
    return {
      operations: this.#operations
        .filter(({ text, title }) => has(`${text} ${title}`))
        // Those whose heading alone has the words come last.
        .toSorted((a, b) => Number(has(b.text)) - Number(has(a.text)))
        .map(({ operation }) => operation),
      parameters: this.#allParameters()
        .filter(({ name }) => has(name.toLowerCase()))
        .toSorted((a, b) => Number(startsWith(b, first)) - Number(startsWith(a, first))),
      resultCodes: findCodes(resultCodes, sought),
    };
  }

  /** Made with the first search: there are thousands. */
  #allParameters(): readonly FoundParameter[] {
    if (this.#parameters) return this.#parameters;
    const byName = new Map<string, Operation[]>();
    for (const { operation } of this.#operations)
      for (const { name } of parametersOf(this.#document, operation)) {
        const known = byName.get(name);
        if (known) known.push(operation);
        else byName.set(name, [operation]);
      }
    this.#parameters = [...byName].map(([name, operations]) => ({ name, operations }));
    return this.#parameters;
  }
}

function startsWith({ name }: FoundParameter, word: string): boolean {
  return name.toLowerCase().startsWith(word);
}
