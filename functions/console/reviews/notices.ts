/** The end of the queue, for the person who asks for the next link. */
export const nothingFree = 'No other link waits that nobody reads.';
