/** Remarks about a diff, in the words that every surface shows. */
export const texts = {
  notFound: 'The text to be replaced is not in the file, so the agent’s tool will probably refuse this change.',
  notInPart: 'The place of this change is not in the part of the file that came with the request.',
  notInMasked: 'The place of this change was not found: the file has secrets, which are masked here.',
  masked: 'Secrets in the file are masked here, so a line that holds one may look changed.',
  several: (count: number, lines: readonly number[]) =>
    `The text to be replaced occurs ${count} times (${toPlaces(lines, count)}), so the agent’s tool will probably refuse this change.`,
  everywhere: (count: number) =>
    count === 1 ? 'Replaces every occurrence: there is one.' : `Replaces every occurrence: there are ${count}.`,
  everywhereInPart: (count: number) =>
    `Replaces every occurrence: ${count} in the part of the file that came with the request, and perhaps more.`,
  everywhereUnknown: 'Replaces every occurrence. How many there are is not known here.',
  crlf: 'The file’s line ends (CRLF) are kept.',
  tooLarge: 'The result is too large to be shown.',
  inexact: 'The texts are too different to compare line by line.',
  unknownBefore: 'What the file holds now is not known here.',
  unseen: (why: string) => `What the file holds now is not shown here: ${why}.`,
  unseenInPart: 'Only a part of what the file holds now came with the request.',
  leadsTo: (target: string) => `The path leads somewhere else. The file that changes is ${target}.`,
  exists: 'The file already exists and is not empty, so the agent’s tool may refuse to create it.',
  missing: 'There is no such file, so the agent’s tool will probably refuse this change.',
  cellUnknown: 'What the cell holds now is not known here.',
  cellMissing: 'There is no such cell in the notebook, so the agent’s tool will probably refuse this change.',
  cell: (name: string) => `Cell ${name}`,
  newCell: (name: string | undefined) => (name === undefined ? 'New cell at the beginning' : `New cell after ${name}`),
};

function toPlaces(lines: readonly number[], count: number): string {
  const places = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
  return count > lines.length ? `${places} …` : places;
}
