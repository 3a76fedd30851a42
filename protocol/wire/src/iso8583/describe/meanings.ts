/** Transaction types: the first two digits of field 3. */
const TRANSACTION_TYPES: Readonly<Record<string, string>> = {
  '00': 'goods and services',
  '01': 'cash',
  '02': 'void',
  '09': 'goods and services with cash back',
  '10': 'funding of an account',
  '20': 'refund',
  '21': 'deposit',
  '26': 'credit to a card',
  '30': 'balance inquiry',
};

/** Response codes of field 39 in 1987. */
const RESPONSE_CODES: Readonly<Record<string, string>> = {
  '00': 'approved',
  '01': 'refer to card issuer',
  '02': 'refer to card issuer, special conditions',
  '03': 'invalid merchant',
  '04': 'pick up card',
  '05': 'do not honour',
  '06': 'error',
  '07': 'pick up card, special conditions',
  '08': 'approved with identification',
  '10': 'approved for a part of the amount',
  '11': 'approved, VIP',
  '12': 'invalid transaction',
  '13': 'invalid amount',
  '14': 'no such card',
  '15': 'no such issuer',
  '16': 'approved, update track 3',
  '19': 're-enter transaction',
  '21': 'no action taken',
  '25': 'no such original',
  '30': 'format error',
  '41': 'lost card',
  '43': 'stolen card',
  '51': 'not sufficient funds',
  '54': 'expired card',
  '55': 'incorrect PIN',
  '57': 'not permitted to cardholder',
  '58': 'not permitted to terminal',
  '59': 'suspected fraud',
  '61': 'exceeds withdrawal amount limit',
  '62': 'restricted card',
  '63': 'security violation',
  '65': 'exceeds withdrawal frequency limit',
  '68': 'response received too late',
  '75': 'PIN tries exceeded',
  '82': 'card verification failed',
  '91': 'issuer or switch inoperative',
  '92': 'no route to the issuer',
  '93': 'violation of law',
  '94': 'duplicate transmission',
  '95': 'reconciliation error',
  '96': 'system malfunction',
};

/** Result codes of field 39 in the common message format. */
const RESULT_CODES: Readonly<Record<string, string>> = {
  '0000': 'approved',
  '0001': 'approved with identification',
  '0002': 'approved for a part of the amount',
  '0003': 'approved, VIP',
  '0004': 'the purchase is approved, the cash back is not',
  '1000': 'do not honour',
  '1001': 'card expired',
  '1002': 'suspicious card',
  '1004': 'restricted card',
  '1006': 'PIN tries exceeded',
  '1007': 'refer to card issuer',
  '1009': 'invalid card acceptor',
  '1011': 'invalid card number',
  '1016': 'not sufficient funds',
  '1017': 'incorrect PIN',
  '1019': 'not permitted to cardholder',
  '1020': 'not permitted to terminal',
  '1021': 'exceeds withdrawal amount limit',
  '1022': 'security violation',
  '1023': 'exceeds withdrawal frequency limit',
  '1024': 'violation of law',
  '1032': 'lost or stolen card',
  '1045': 'card verification failed',
  '1802': 'missing fields',
  '1810': 'invalid amount',
  '1812': 'system error',
  '1816': 'original not found',
  '1822': 'duplicate transmission',
  '1824': 'previously reversed',
  '5001': 'reconciliation error',
  '9102': 'invalid transaction',
  '9107': 'issuer or switch inoperative',
};

/** Network management: field 70 of 1987. */
const NETWORK_CODES: Readonly<Record<string, string>> = {
  '001': 'sign on',
  '002': 'sign off',
  '161': 'key exchange',
  '201': 'cut-over',
  '301': 'echo test',
};

/** Function codes: field 24 of the common message format. */
const FUNCTION_CODES: Readonly<Record<string, string>> = {
  '100': 'original authorization, exact amount',
  '101': 'original authorization, estimated amount',
  '181': 'original authorization, a part may be approved',
  '187': 'incremental authorization',
  '200': 'original financial request or advice',
  '201': 'of an authorization, the same amount',
  '202': 'of an authorization, another amount',
  '281': 'original financial request, a part may be approved',
  '400': 'full reversal',
  '401': 'partial reversal',
  '500': 'final reconciliation',
  '801': 'sign on',
  '802': 'sign off',
  '811': 'key exchange',
  '821': 'cut-over',
  '831': 'echo test',
};

/** Message reason codes: field 25 of the common message format. */
const REASON_CODES: Readonly<Record<string, string>> = {
  '1004': 'terminal processed',
  '1005': 'card processed',
  '1007': 'stand-in at the acquirer',
  '4000': 'cancellation',
  '4004': 'completed partially',
  '4006': 'response received too late',
  '4021': 'time-out while waiting for the response',
};

/** Entry modes: the first two digits of field 22 of 1987. */
const ENTRY_MODES: Readonly<Record<string, string>> = {
  '01': 'keyed',
  '02': 'magstripe',
  '05': 'chip',
  '07': 'contactless chip',
  '10': 'stored credential',
  '80': 'magstripe after a chip failed',
  '81': 'electronic commerce',
  '90': 'magstripe, whole track',
  '91': 'contactless magstripe',
};

/** Conditions of the point of service: field 25 of 1987. */
const CONDITIONS: Readonly<Record<string, string>> = {
  '00': 'card and cardholder present',
  '01': 'cardholder not present',
  '08': 'mail order, telephone order or stored card',
  '59': 'electronic commerce',
};

/** The meaning of a field's value, by dialect version and field number; undefined where no table has it. */
export function meaningOf(version: string, field: number, value: string): string | undefined {
  if (field === 3) return TRANSACTION_TYPES[value.slice(0, 2)];
  if (version === '2') {
    if (field === 24) return FUNCTION_CODES[value];
    if (field === 25) return REASON_CODES[value];
    return field === 39 ? RESULT_CODES[value] : undefined;
  }
  if (field === 22) return ENTRY_MODES[value.slice(0, 2)];
  if (field === 25) return CONDITIONS[value];
  if (field === 39) return RESPONSE_CODES[value];
  return field === 70 ? NETWORK_CODES[value] : undefined;
}
