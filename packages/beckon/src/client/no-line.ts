/** A wait on a line ends with this where HTTP must take over. It never leaves the client. */
export const NO_LINE = new Error('There is no line');
