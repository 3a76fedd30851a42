import { meant } from '../command-line/command-line.js';
import { judge } from './judge.js';
import { checkSchema } from './schema-check.js';
import { TOPICS } from './topics.js';
import type { Vector, VectorFile } from './vector-file.js';

/** What became of a topic's vectors. */
interface TopicResult {
  passed: number;
  total: number;
}

/** What became of a run. */
interface RunResult {
  readonly topics: ReadonlyMap<string, TopicResult>;
  /** What went wrong, one line each. */
  readonly problems: readonly string[];
}

/** Runs every vector of the files. A vector or file that its schema does not allow is a problem, not a pass. */
export function runVectors(files: readonly VectorFile[]): RunResult {
  const topics = new Map<string, TopicResult>();
  const problems: string[] = [];
  for (const file of files) {
    const fault = file.fault ?? faultOf(file.content);
    if (fault === undefined) runFile(file, topicOf(file.content), topics, problems);
    else problems.push(`${file.path}: ${fault}`);
  }
  return { topics, problems };
}

/** Why a file is run against no topic. */
function faultOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return 'not an object with topic, note, count and vectors (test/vectors/README.md)';
  const topic = topicOf(content);
  const known = Object.keys(TOPICS);
  if (topic === '') return `no topic; it is one of ${known.join(', ')}`;
  if (known.includes(topic)) return undefined;
  return `topic "${topic}" is not known${meant(topic, known) || `; there are ${known.join(', ')}`}`;
}

/** The topic that the file names, or an empty text. */
function topicOf(content: unknown): string {
  const { topic } = content as { readonly topic?: unknown };
  return typeof topic === 'string' ? topic : '';
}

function entry(topics: Map<string, TopicResult>, topic: string): TopicResult {
  const known = topics.get(topic);
  if (known !== undefined) return known;
  const fresh = { passed: 0, total: 0 };
  topics.set(topic, fresh);
  return fresh;
}

function runFile(
  file: VectorFile,
  topic: string,
  topics: Map<string, TopicResult>,
  problems: string[],
): void {
  const result = entry(topics, topic);
  const vectors = vectorsOf(file.content);
  const findings = checkSchema(topic, file.content);
  const against = [
    ...findings.file.map((finding) => `not of its schema: ${finding}`),
    ...miscount(file.content),
  ];
  problems.push(...against.map((text) => `${file.path}: ${text}`));
  for (const [index, vector] of vectors.entries()) {
    result.total += 1;
    const problem = problemOf(topic, vector, findings.vectors.get(index));
    if (problem === undefined) result.passed += 1;
    else problems.push(`${topic}: ${vector?.name ?? `vector ${index}`}: ${problem}`);
  }
}

/** A file that lost or gained entries since its count was written. */
function miscount(content: unknown): string[] {
  const { count, vectors } = content as { readonly count?: unknown; readonly vectors?: unknown };
  if (!Number.isInteger(count) || !Array.isArray(vectors) || count === vectors.length) return [];
  return [`count is ${count}, but vectors has ${vectors.length}`];
}

function problemOf(topic: string, vector: Vector, finding: string | undefined): string | undefined {
  const op: unknown = vector?.inputs?.op;
  const known = Object.keys(TOPICS[topic] ?? {});
  if (typeof op === 'string' && !known.includes(op))
    return `not of its schema: operation "${op}" is not known${meant(op, known) || `; there are ${known.join(', ')}`}`;
  return finding === undefined ? judge(topic, vector) : `not of its schema: ${finding}`;
}

function vectorsOf(content: unknown): readonly Vector[] {
  const vectors = (content as { readonly vectors?: unknown }).vectors;
  return Array.isArray(vectors) ? vectors : [];
}
