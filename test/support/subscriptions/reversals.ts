/** A dispute, as a gateway reports it. Each event has an id of its own. */
export const dispute = { cause: 'dp_1', atMs: Date.parse('2026-11-20T12:00:00.000Z') };
