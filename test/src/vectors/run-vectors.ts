import { judge } from './judge.js';
import { checkSchema } from './schema-check.js';
import { TOPICS } from './topics.js';
import type { Vector, VectorFile } from './vector-file.js';

/** What became of a topic's vectors. */
export interface TopicResult {
  passed: number;
  total: number;
}

/** What became of a run. */
export interface RunResult {
  readonly topics: ReadonlyMap<string, TopicResult>;
  /** What went wrong, one line each. */
  readonly problems: readonly string[];
}

/** Runs every vector of the files. A vector or file that its schema does not allow is a problem, not a pass. */
export function runVectors(files: readonly VectorFile[]): RunResult {
  const topics = new Map<string, TopicResult>();
  const problems: string[] = [];
  for (const file of files) {
    const topic = topicOf(file.content);
    if (topic === undefined) {
      problems.push(`${file.path}: no topic of test/vectors/README.md`);
      continue;
    }
    runFile(file, topic, entry(topics, topic), problems);
  }
  return { topics, problems };
}

function topicOf(content: unknown): string | undefined {
  const topic =
    typeof content === 'object' && content !== null && 'topic' in content ? content.topic : undefined;
  return typeof topic === 'string' && Object.hasOwn(TOPICS, topic) ? topic : undefined;
}

function entry(topics: Map<string, TopicResult>, topic: string): TopicResult {
  const known = topics.get(topic);
  if (known !== undefined) return known;
  const fresh = { passed: 0, total: 0 };
  topics.set(topic, fresh);
  return fresh;
}

function runFile(file: VectorFile, topic: string, result: TopicResult, problems: string[]): void {
  const findings = checkSchema(topic, file.content);
  problems.push(...findings.file.map((finding) => `${file.path}: not of its schema: ${finding}`));
  for (const [index, vector] of vectorsOf(file.content).entries()) {
    result.total += 1;
    const against = findings.vectors.get(index);
    const problem = against === undefined ? judge(topic, vector) : `not of its schema: ${against}`;
    if (problem === undefined) result.passed += 1;
    else problems.push(`${topic}: ${vector?.name ?? `vector ${index}`}: ${problem}`);
  }
}

function vectorsOf(content: unknown): readonly Vector[] {
  const vectors = (content as { readonly vectors?: unknown }).vectors;
  return Array.isArray(vectors) ? vectors : [];
}
