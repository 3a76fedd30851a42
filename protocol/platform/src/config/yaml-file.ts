import { type Document, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import { readSmallFile } from '../read-file.js';
import { ConfigError } from './problems.js';

/** Most bytes of a YAML file. */
const MAX_FILE_BYTES = 1_048_576;

/** Content of a YAML file. @throws ConfigError naming file and place */
export function readYamlFile(file: string): unknown {
  return contentOf(file, parsedFile(file).document);
}

/** An item of a list in a YAML file. */
interface YamlItem {
  /** Where it begins: 1 is the first line. */
  readonly line: number;
  readonly value: unknown;
}

/** The items of a YAML file that is a list. @throws ConfigError naming file and place */
export function readYamlList(file: string): readonly YamlItem[] {
  const { document, lines } = parsedFile(file);
  const values = contentOf(file, document);
  if (!isSeq(document.contents) || !Array.isArray(values))
    throw new ConfigError(`${file} is no list: expected one item after the other, each behind a hyphen`);
  return document.contents.items.map((item, at) => ({
    line: lines.linePos(isNode(item) ? (item.range?.[0] ?? 0) : 0).line,
    value: values[at],
  }));
}

function parsedFile(file: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  const refuse = (reason: string) => new ConfigError(`${file} ${reason}: expected a file in YAML`);
  const source = readSmallFile(file, MAX_FILE_BYTES, refuse).toString();
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw new ConfigError(`${file}:${line}:${col} is no valid YAML: ${first.message}`);
  }
  return { document, lines };
}

function contentOf(file: string, document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new ConfigError(`${file} uses aliases (*name): expected every value where it belongs`);
  }
}

/** The value of an environment variable that stands for more than a text; the text itself where it is no YAML. */
export function readYamlText(source: string): unknown {
  const document = parseDocument(source);
  try {
    return document.errors.length > 0 ? source : document.toJS({ maxAliasCount: 0 });
  } catch {
    return source;
  }
}
