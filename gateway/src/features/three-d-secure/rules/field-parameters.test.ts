import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { MESSAGES } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedFieldsText } from './field-parameters.js';

const FIELDS = MESSAGES.AReq.map(({ name }) => name);
const MISSING = 'must be sent for 3D Secure';
const WRONG_FORM = 'has a form that 3D Secure refuses';

describe('what a merchant learns of refused fields', () => {
  it('is the parameter of each field, in the order of the error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';', ' ', ', '),
        (fields, comma) => {
          const text = refusedFieldsText('203', fields.join(comma)) ?? '';
          const parts = text.split('; ');
          expect(parts.map((part) => /\(field (\w+)\)$/.exec(part)?.[1])).toEqual(fields);
          for (const part of parts) expect(part).toContain(`: ${WRONG_FORM} `);
        },
      ),
      propertyRuns(100),
    );
  });

  it.each([
    ['acctNumber', 'card.number'],
    ['browserTZ', 'customer.browser.timezone'],
    ['billAddrCity', 'billing.city'],
    ['shipAddrPostCode', 'shipping.postcode'],
    ['sdkTransID', 'threeDSecure.deviceInfo'],
    // Fields of no parameter, and names that only hold one of an address.
    ['threeDSServerTransID', 'threeDSecure'],
    ['billAddrLine3', 'threeDSecure'],
    ['xbillAddrCity', 'threeDSecure'],
    ['billAddrCity.x', 'threeDSecure'],
  ])('of %s is %s', (field, parameter) => {
    expect(refusedFieldsText('201', field)).toBe(`${parameter}: ${MISSING} (field ${field})`);
  });

  it('is nothing where the error is about no fields, or names none', () => {
    for (const code of [undefined, '101', '404']) expect(refusedFieldsText(code, 'email')).toBeUndefined();
    for (const detail of [undefined, '', ' , ;']) expect(refusedFieldsText('203', detail)).toBeUndefined();
  });

  it('holds no value that a directory server put among the names', () => {
    // A value begins with a digit, is too long for a name, or has characters that no name has.
    const value = fc.oneof(
      fc.stringMatching(/^\d{12,19}[a-z]{0,3}$/),
      fc.stringMatching(/^[a-z]{81,90}$/),
      fc.stringMatching(/^[a-z]{3,9}[@=:][a-z]{3,9}$/),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.constantFrom('201', '203'), (values, code) => {
        const fault = code === '201' ? MISSING : WRONG_FORM;
        const detail = [...values, 'email'].join(',');
        expect(refusedFieldsText(code, detail)).toBe(`customer.email: ${fault} (field email)`);
      }),
      propertyRuns(100),
    );
  });
});
