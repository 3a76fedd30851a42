/** Nothing can be exported; the text says why and what to do. */
export class NoIncidentError extends Error {
  override readonly name = 'NoIncidentError';
}

/** An incident file would carry card data; the text names the places, never the data. */
export class IncidentCardDataError extends Error {
  override readonly name = 'IncidentCardDataError';
}
