import { State } from '../../state.js';
import { LANGUAGES, type Language } from './code-samples.js';
import { type ApiCodes, NO_CODES } from './codes.js';
import type { ApiDocument, OperationGroup } from './document.js';
import { groupsOf } from './document.js';
import { SearchIndex } from './search.js';

/** Where a page of this kind finds what it shows. */
export const DOCUMENT_PATH = '/docs/openapi.json';
export const CODES_PATH = '/docs/codes.json';

/** Under which a browser remembers the language of the samples. */
const LANGUAGE_KEY = 'tillbridge-docs-language';

/** Sections that are no operations. */
export const ERRORS = 'errors';
export const RESULT_CODES = 'result-codes';

/** The document, ready to be shown. */
export interface Reference {
  readonly document: ApiDocument;
  readonly groups: readonly OperationGroup[];
  readonly index: SearchIndex;
}

/** What the page shows. */
interface View {
  readonly reference: Reference | undefined;
  /** Why there is no document. */
  readonly fault: string | undefined;
  readonly codes: ApiCodes;
  /** Ids of the operations and sections that are open. */
  readonly open: ReadonlySet<string>;
  /** The parameter that a search led to, with its operation. */
  readonly sought: { readonly operation: string; readonly parameter: string } | undefined;
  /** What result codes are filtered by. */
  readonly code: string;
  readonly language: Language;
}

export const view = new State<View>({
  reference: undefined,
  fault: undefined,
  codes: NO_CODES,
  open: new Set(),
  sought: undefined,
  code: '',
  language: storedLanguage(),
});

/** Loads the document, then what is shown next to it. */
export async function load(): Promise<void> {
  const codes = json<ApiCodes>(CODES_PATH);
  try {
    const document = await json<ApiDocument>(DOCUMENT_PATH);
    const groups = groupsOf(document);
    const reference = { document, groups, index: new SearchIndex(document, groups) };
    view.change((old) => ({ ...old, reference }));
  } catch (error) {
    view.change((old) => ({ ...old, fault: error instanceof Error ? error.message : String(error) }));
  }
  await codes.then(
    (loaded) => view.change((old) => ({ ...old, codes: loaded })),
    // The operations stand without them.
    () => undefined,
  );
}

async function json<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} was answered with HTTP ${answer.status}`);
  return (await answer.json()) as T;
}

/** Opens or closes an operation or a section. */
export function toggle(id: string): void {
  view.change((old) => {
    const open = new Set(old.open);
    if (!open.delete(id)) open.add(id);
    return { ...old, open };
  });
}

/** Opens an operation or a section; a parameter or a code in it is pointed out. */
export function show(id: string, { parameter, code }: { parameter?: string; code?: string } = {}): void {
  view.change((old) => ({
    ...old,
    open: new Set([...old.open, id]),
    sought: parameter === undefined ? undefined : { operation: id, parameter },
    code: code ?? old.code,
  }));
}

/** The id that an address names after its `#`; empty where it cannot be read, as a link may be cut anywhere. */
export function idInHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

function storedLanguage(): Language {
  try {
    const stored = localStorage.getItem(LANGUAGE_KEY);
    return LANGUAGES.find((language) => language === stored) ?? 'curl';
  } catch {
    // A browser may refuse its storage.
    return 'curl';
  }
}

/** Shows all samples in a language, and remembers it in this browser. */
export function choose(language: Language): void {
  view.change((old) => ({ ...old, language }));
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // As above.
  }
}
