import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './problems.js';

/** Most bytes of a configuration file. */
const MAX_FILE_BYTES = 1_048_576;

/** Content of a YAML file. @throws ConfigError naming file and place */
export function readYamlFile(file: string): unknown {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`${file} cannot be read (${code}): expected a configuration file in YAML`);
  }
  if (source.length > MAX_FILE_BYTES) throw new ConfigError(`${file} is larger than ${MAX_FILE_BYTES} bytes`);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw new ConfigError(`${file}:${line}:${col} is no valid YAML: ${first.message}`);
  }
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
