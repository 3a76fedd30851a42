import type { TimelineEntry } from './answer.js';
import type { Fact } from './facts.js';

/** What a person reads of a fact. */
export function timelineEntry(fact: Fact, atMs: number): TimelineEntry {
  const detail = detailOf(fact);
  const by = fact.kind === 'reversal' || fact.kind === 'ended' ? fact.by : undefined;
  return { atMs, step: stepOf(fact), ...(detail && { detail }), ...(by !== undefined && { by }) };
}

/** The name of the fact in timelines and events. */
export function stepOf(fact: Fact): string {
  switch (fact.kind) {
    case 'reading':
      return 'reading-card';
    case 'answered':
      return fact.late ? 'answered-late' : 'answered';
    case 'completed':
      return `card-${fact.result}`;
    case 'ended':
      return fact.outcome;
    default:
      return fact.kind;
  }
}

function detailOf(fact: Fact): string | undefined {
  switch (fact.kind) {
    case 'answered':
    case 'acknowledged': {
      const { disposition, resultCode, description } = fact.answer;
      return [disposition, resultCode, description].filter(Boolean).join(' ');
    }
    case 'completed':
      return fact.detail;
    case 'unknown':
    case 'reversal':
    case 'preceding-reversal':
      return fact.reason;
    case 'withdrawn':
      return fact.text;
    case 'offline-record':
      return fact.approval;
    case 'late-decline-acknowledged':
      return fact.by;
    case 'capture':
      return fact.captureReference;
    case 'voice-authorization':
      return `approval code ${fact.approvalCode}`;
    case 'parked':
    case 'overdue':
      return `${fact.code}: ${fact.text}`;
    case 'ended':
      return fact.detail ? `${fact.reason}: ${fact.detail}` : fact.reason;
    default:
      return undefined;
  }
}
