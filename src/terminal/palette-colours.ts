// Colours of 24 bits as the nearest of the palette's 256. Sources: ECMA-48, section 8.3.117 (SGR), ITU-T T.416, section 13.1.8 (38 and 48), xterm's palette:
// 16 to 231 are a cube of six steps, 232 to 255 greys.

// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const graphicRendition = /\x1b\[([0-9;:]*)m/g
// oxlint-disable-next-line no-control-regex -- as above
const unfinished = /\x1b(?:\[[0-9;:]{0,60})?$/
const directColour = /\b([34]8)(?:;2;|:2:\d*:|:2:)(\d{1,3})[;:](\d{1,3})[;:](\d{1,3})(?=[;:]|$)/g
const steps = [0, 95, 135, 175, 215, 255]

/** Rewrites text that comes in pieces. An escape sequence that is cut off waits for the next piece. */
export class PaletteColours {
  #held = ''

  write(text: string): string {
    const all = this.#held + text
    this.#held = unfinished.exec(all)?.[0] ?? ''
    return all
      .slice(0, all.length - this.#held.length)
      .replace(graphicRendition, (sequence, parameters: string) =>
        /[34]8[;:]2[;:]/.test(parameters) ? `\x1b[${parameters.replace(directColour, inPalette)}m` : sequence,
      )
  }
}

function inPalette(_colour: string, ground: string, red: string, green: string, blue: string): string {
  const [r, g, b] = [Number(red), Number(green), Number(blue)]
  const isGrey = Math.max(r, g, b) - Math.min(r, g, b) < 8
  const level = Math.round((r + g + b) / 3)
  if (isGrey && level > 7 && level < 239) return `${ground};5;${232 + Math.round((level - 8) / 10)}`
  return `${ground};5;${16 + 36 * nearestStep(r) + 6 * nearestStep(g) + nearestStep(b)}`
}

function nearestStep(value: number): number {
  const distances = steps.map(step => Math.abs(step - value))
  return distances.indexOf(Math.min(...distances))
}
