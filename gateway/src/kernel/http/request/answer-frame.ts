import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';

/** What every answer of the API carries, whatever it is about. */
export interface AnswerFrame {
  readonly result: { readonly code: string; readonly description: string };
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
}

/** The frame of an answer. `ndc` names this one answer and nothing else. */
export function answerFrame(
  code: string,
  { buildNumber, ndc, nowMs }: { readonly buildNumber: string; readonly ndc: string; readonly nowMs: number },
): AnswerFrame {
  return {
    result: { code, description: resultDescription(code) },
    buildNumber,
    timestamp: timestampText(nowMs),
    ndc,
  };
}

/** `2026-11-20 19:36:00+0000`. */
export function timestampText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}+0000`;
}
