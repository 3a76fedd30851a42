/** The response code of approvals. */
export const APPROVED = '00';
/** The response code of approvals of a part. */
export const APPROVED_IN_PART = '10';
/** Response codes that approve the whole amount: as it is, with identification, of an important person, with new data for track 3. */
const WHOLE_APPROVALS: ReadonlySet<string | undefined> = new Set([APPROVED, '08', '11', '16']);

/** Whether the whole amount is approved with this response code. */
export function isWholeApproval(responseCode: string | undefined): boolean {
  return WHOLE_APPROVALS.has(responseCode);
}

/** Whether money moves with this response code. */
export function isApproval(responseCode: string | undefined): boolean {
  return isWholeApproval(responseCode) || responseCode === APPROVED_IN_PART;
}
