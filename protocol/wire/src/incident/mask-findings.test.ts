import { describe, expect, it } from 'vitest';
import { findingTexts, maskFindings } from './mask-findings.js';

const NUMBER = '4200000000000000';

describe('the content of an incident file', () => {
  it('has the same name for the same text wherever it stands, and keeps everything else', () => {
    const content = {
      sales: [
        { reference: NUMBER, rows: [{ row: 7, note: `as ${NUMBER}` }] },
        { reference: 'order-2', rows: [] },
      ],
      claims: [{ reference: NUMBER, minor: 1_234, released: false, by: null }],
    };
    const { content: masked, findings } = maskFindings(content);
    expect(masked).toEqual({
      sales: [
        { reference: 'masked value 1', rows: [{ row: 7, note: 'masked value 2' }] },
        { reference: 'order-2', rows: [] },
      ],
      claims: [{ reference: 'masked value 1', minor: 1_234, released: false, by: null }],
    });
    expect(findings.map(({ place }) => place)).toEqual(['sales.0.reference', 'sales.0.rows.0.note']);
    expect(findingTexts(findings).join()).not.toContain(NUMBER);
  });

  it('keeps the form of a text that is JSON', () => {
    const { content } = maskFindings({ detail: JSON.stringify({ reference: NUMBER, followUp: null }) });
    expect(JSON.parse(content.detail)).toEqual({ reference: 'masked value 1', followUp: null });
  });

  it('names the first findings and counts the others', () => {
    const content = Array.from({ length: 22 }, (_, at) => `${NUMBER} ${'x'.repeat(at)}`);
    const texts = findingTexts(maskFindings(content).findings);
    expect(texts).toHaveLength(21);
    expect(texts.at(-1)).toBe('and 2 more such values');
  });
});
