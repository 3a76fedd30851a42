import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, parseForm, parseFormText } from './form.js';
import { MAX_PARAMETERS } from './validate.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const messages = (text: string, type?: string): string[] =>
  parseForm(bytes(text), type).errors.map((error) => error.message);

describe('parseForm', () => {
  it('reads brackets raw and encoded, + as a blank, UTF-8 escapes', () => {
    const body =
      'cart.items[0].name=a+b&customParameters%5Bx.y%5D=1%2B1&descriptor=Z%C3%BCrich&empty=&bare&&';
    expect(parseForm(bytes(body))).toEqual({
      parameters: [
        ['cart.items[0].name', 'a b'],
        ['customParameters[x.y]', '1+1'],
        ['descriptor', 'Zürich'],
        ['empty', ''],
        ['bare', ''],
      ],
      errors: [],
    });
  });

  it('refuses a name that comes twice, however it is encoded, and names each', () => {
    const { parameters, errors } = parseFormText('a[b]=1&a%5Bb%5D=2&amount=1&amount=');
    expect(parameters).toEqual([
      ['a[b]', '1'],
      ['amount', '1'],
    ]);
    expect(errors.map((error) => error.name)).toEqual(['a[b]', 'amount']);
  });

  it('names what to send in place of a body of another kind', () => {
    expect(messages('{"amount":"92.00"}')[0]).toMatch(
      /is JSON; send the parameters as application\/x-www-form/,
    );
    expect(messages('amount=1', 'application/json;charset=UTF-8')[0]).toContain('is JSON');
    expect(messages('--x', 'multipart/form-data; boundary=x')[0]).toContain('multipart');
    expect(messages('<?xml version="1.0"?>')[0]).toContain('XML');
    expect(messages('amount=1', 'application/x-www-form-urlencoded; charset=UTF-8')).toEqual([]);
  });

  it('calls Latin-1 what it is, in the body and behind escapes', () => {
    const latin1 = Uint8Array.from(Buffer.from('card.holder=J\xfcrgen', 'latin1'));
    expect(parseForm(latin1).errors[0]?.message).toBe(
      'the body must be UTF-8, and is Latin-1 (ISO 8859-1): ü came as the byte FC, and is C3 BC in UTF-8',
    );
    expect(parseFormText('card.holder=J%FCrgen+M%C3%BCller').errors).toEqual([
      {
        name: 'card.holder',
        value: null,
        message:
          'must be UTF-8 before it is percent-encoded, and is Latin-1 (ISO 8859-1): ü came as the byte FC, and is C3 BC in UTF-8',
      },
    ]);
    // UTF-16, a cut letter and a broken escape are no Latin-1.
    const others = [Buffer.from('a=\xfc', 'utf16le'), Buffer.from([0x61, 0x3d, 0x9f])];
    for (const body of others) expect(parseForm(body).errors[0]?.message).toBe('the body must be UTF-8');
    expect(parseFormText('a=%F').errors[0]?.message).toContain('broken percent escape');
  });

  it('refuses broken escapes and what is not UTF-8, naming the parameter', () => {
    expect(parseForm(Uint8Array.of(0x61, 0x3d, 0xff)).errors[0]?.message).toContain('UTF-8');
    expect(parseFormText('card.holder=%E4%FC').errors).toMatchObject([{ name: 'card.holder', value: null }]);
    expect(parseFormText('%zz=1').errors).toMatchObject([{ name: '' }]);
    expect(parseFormText('=1').errors).toHaveLength(1);
  });

  it('limits body, count, length and depth', () => {
    expect(parseForm(new Uint8Array(MAX_BODY_BYTES + 1)).errors[0]?.message).toContain('larger');
    const flood = Array.from({ length: MAX_PARAMETERS + 1 }, (_, at) => `a${at}=1`).join('&');
    expect(parseFormText(flood).errors[0]?.message).toContain(`${MAX_PARAMETERS}`);
    expect(parseFormText(`${'&'.repeat(MAX_PARAMETERS + 5)}amount=1`).parameters).toEqual([['amount', '1']]);
    expect(parseFormText(`${'a.'.repeat(8)}a=1`).errors[0]?.message).toContain('parts');
    expect(parseFormText(`${'a'.repeat(200)}=1`).errors[0]?.message).toContain('longer');
  });

  it('takes names that are dangerous as object keys as ordinary names', () => {
    const { parameters } = parseFormText('__proto__[polluted]=1&constructor.prototype.polluted=1');
    expect(new Map(parameters).get('__proto__[polluted]')).toBe('1');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('gives back what a client encoded, whatever it is', () => {
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const entries = fc.uniqueArray(
      fc.tuple(
        unit.filter((name) => name.split(/[.[]/).length < 8),
        fc.string({ unit: 'grapheme' }),
      ),
      {
        selector: ([name]) => name,
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(entries, (sent) => {
        const { parameters, errors } = parseForm(bytes(new URLSearchParams(sent).toString()), undefined);
        expect(errors).toEqual([]);
        expect(parameters).toEqual(sent);
      }),
      { seed: 1 },
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        expect(parseForm(body)).toHaveProperty('errors');
      }),
      { seed: 2 },
    );
  });
});
