// Which slices to load when one is missing. A question is asked again for each miss, so the misses of one question must be few; and a
// question that needs little must load little.

const misses_alone = 16;     // so many scattered misses load one slice each: more than the questions of a package or build have
const misses_to_double = 4;  // then every fourth miss doubles what is loaded
const most_misses = 64;      // then everything is

export class ReadAhead {
  constructor() {
    this.misses = 0;
    this.runs = new Map();   // the slice behind each run that was loaded, and the length of the run
  }

  /// The numbers of the slices to load, of which the first is `missing`. A scan that goes on behind a run has twice as many each time.
  after(missing, slices) {
    ++this.misses;
    const scattered = this.misses > most_misses ? slices.length : 2 ** Math.max(0, Math.ceil((this.misses - misses_alone) / misses_to_double));
    const length = Math.max(scattered, 2 * (this.runs.get(missing) ?? 0));
    this.runs.delete(missing);
    const wanted = [];
    let number = this.misses > most_misses ? 0 : missing;
    for (; number < slices.length && wanted.length < length; ++number) {
      if (slices[number] === undefined) wanted.push(number);
    }
    this.runs.set(number, length);
    return wanted;
  }
}
