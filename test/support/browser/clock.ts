/** Moves the clock of a local stack forward; resolves when what was due on the way is done. */
export async function advance(url: string, seconds: number): Promise<void> {
  const response = await fetch(`${url}/_local/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: seconds }),
  });
  if (!response.ok) throw new Error(`The clock answered ${response.status}`);
}
