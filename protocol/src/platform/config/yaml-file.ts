import { LineCounter, parseDocument } from 'yaml';
import { readSmallFile } from '../read-file.js';
import { ConfigError } from './problems.js';

/** Most bytes of a configuration file. */
const MAX_FILE_BYTES = 1_048_576;

/** Content of a YAML file. @throws ConfigError naming file and place */
export function readYamlFile(file: string): unknown {
  const refuse = (reason: string) =>
    new ConfigError(`${file} ${reason}: expected a configuration file in YAML`);
  const source = readSmallFile(file, MAX_FILE_BYTES, refuse).toString();
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
