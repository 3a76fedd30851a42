/** Response codes that approve the whole amount: as it is, with identification, of an important person, with new data for track 3. */
export const WHOLE_APPROVALS: ReadonlySet<string | undefined> = new Set(['00', '08', '11', '16']);
