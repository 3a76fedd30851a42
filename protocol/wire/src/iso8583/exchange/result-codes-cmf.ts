/**
 * Result codes of the common message format, and the response code of 1987 that each one stands for; the first one is written. Where two rows have
 * the same one, the last row is what it is read as.
 */
const ROWS: readonly (readonly [responseCode: string, ...resultCodes: string[]])[] = [
  ['00', '0000', '0003'],
  ['01', '1007', '1008'],
  ['03', '1009', '1821'],
  ['05', '1000'],
  ['08', '0001'],
  ['10', '0002', '0004'],
  ['12', '9102', '1015'],
  ['13', '1810', '1010', '1046'],
  ['14', '1011', '1018', '1804'],
  ['21', '1824'],
  ['25', '1816'],
  ['30', '1802', '1803'],
  ['43', '1032'],
  ['41', '1032'],
  ['51', '1016'],
  ['54', '1001'],
  ['55', '1017'],
  ['57', '1019'],
  ['58', '1020', '1819'],
  ['59', '1002', '1029'],
  ['61', '1021'],
  ['62', '1004'],
  ['63', '1022'],
  ['65', '1023'],
  ['75', '1006'],
  ['82', '1045'],
  ['91', '9107'],
  ['93', '1024'],
  ['94', '1822'],
  ['95', '5001'],
  ['96', '1812', '1811'],
];
/** What a decline without a code in the table becomes. */
const OTHER_DECLINE = { responseCode: '05', resultCode: '1000' } as const;

const RESULT_CODES = new Map(ROWS.map(([response, result = OTHER_DECLINE.resultCode]) => [response, result]));
const RESPONSE_CODES = new Map(
  ROWS.flatMap(([response, ...results]) => results.map((result) => [result, response] as const)),
);

/** The result code of the common message format for a response code. */
export function cmfCodeOf(responseCode: string): string {
  return RESULT_CODES.get(responseCode) ?? OTHER_DECLINE.resultCode;
}

/** The response code of a result code; a decline where no table knows it. */
export function responseCodeOf(resultCode: string): string {
  return RESPONSE_CODES.get(resultCode) ?? OTHER_DECLINE.responseCode;
}
