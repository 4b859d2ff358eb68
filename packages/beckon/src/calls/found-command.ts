/** One word of a command that was found, as far as its text is known, and where it stands. */
export interface FoundWord {
  /** The word without its quotes; of `$x` what is known of it, else as it is written. */
  text: string;
  /** UTF-16 offsets in the whole text. */
  start: number;
  end: number;
}

/** A file that a command reads or writes through its shell: `> file`. */
export interface FoundRedirect {
  operator: string;
  target: FoundWord;
}

/** A command anywhere in a text: in `$(…)`, behind `sudo`, in the text of `bash -c`. */
export interface FoundCommand {
  /** Without any, it only sets variables or opens files. */
  words: readonly FoundWord[];
  /** Where it stands in the whole text; if it is not written there as it is, what it was made from. */
  start: number;
  end: number;
  /** The variables that are set for it: `NAME=value`. */
  assignments: readonly FoundWord[];
  redirects: readonly FoundRedirect[];
  /** The commands before it in its pipeline. */
  pipedFrom: readonly FoundCommand[];
  /** The programs that run it, the outermost first: `sudo`, `bash`. */
  via: readonly string[];
  /** It is not written in the text as it is: it was encoded, or is the text of a variable or an alias. */
  isDisguised: boolean;
}

/** Every command that can be found in a text. */
export interface FoundCommands {
  commands: readonly FoundCommand[];
  /** The names that the text defines as functions. */
  functions: readonly FoundWord[];
  /** The parser understood all of the text. */
  isWhole: boolean;
  /** The text is too long or too deep: there may be commands that were not found. */
  isCut: boolean;
}
