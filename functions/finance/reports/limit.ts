/** As many entries of the index as one report reads: what a function reads and adds up well within its 25 seconds. */
export const maxEntriesOfReport = 200_000;
