import { SIGNAL_TOPICS, type Signal, type SignalTopic } from './signals.js';

/** Bytes of a text at most: PostgreSQL takes 7,999 of a notification. */
const SIGNAL_TEXT_LIMIT = 7_900;

/** Signals that wait at most; beyond, those of a topic become one about any key. */
export const MAX_WAITING_SIGNALS = 10_000;

const KEY = /^[\x20-\x7e]{0,200}$/;

/** Signals as lines of few texts, each line once. A key that does not fit into a line becomes one about any. */
export function signalTexts(signals: readonly Signal[]): readonly string[] {
  const texts: string[] = [];
  for (const line of new Set(signals.map(lineOf))) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < SIGNAL_TEXT_LIMIT)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts;
}

/** The signals of a text; lines that are none are passed over. */
export function readSignals(text: string): readonly Signal[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(' ');
    const topic = line.slice(0, at);
    const key = line.slice(at + 1);
    return at > 0 && isTopic(topic) && KEY.test(key) ? [{ topic, key }] : [];
  });
}

function lineOf({ topic, key }: Signal): string {
  return `${topic} ${KEY.test(key) ? key : ''}`;
}

function isTopic(text: string): text is SignalTopic {
  return (SIGNAL_TOPICS as readonly string[]).includes(text);
}
