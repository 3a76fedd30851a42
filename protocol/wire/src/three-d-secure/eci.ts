/**
 * Electronic commerce indicator that a scheme gives to the result of an authentication (the schemes' 3D Secure guides); undefined where a
 * result has none. Mastercard and Maestro: 02, 01, 00. All others: 05, 06, 07.
 */
export function eciOf(brand: string | null, transStatus: string | undefined): string | undefined {
  const [authenticated, attempted, neither] =
    brand === 'MASTER' || brand === 'MAESTRO' ? ['02', '01', '00'] : ['05', '06', '07'];
  if (transStatus === 'Y') return authenticated;
  if (transStatus === 'A') return attempted;
  return transStatus === 'I' || transStatus === 'U' ? neither : undefined;
}
