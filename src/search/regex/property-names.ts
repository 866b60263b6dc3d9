// The names of Unicode properties, compared as Unicode does (UAX #44, LM3): without regard to case, blanks, `_`, `-` and a leading `is`.
// JavaScript accepts only one spelling, so names of several words are listed here; the spelling of a single word can be derived.

const longNames = (
  'Cased_Letter Close_Punctuation Connector_Punctuation Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation ' +
  'Initial_Punctuation Letter_Number Line_Separator Lowercase_Letter Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark ' +
  'Open_Punctuation Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Space_Separator ' +
  'Spacing_Mark Titlecase_Letter Uppercase_Letter Currency_Symbol Combining_Mark ' +
  'ASCII_Hex_Digit Bidi_Control Bidi_Mirrored Case_Ignorable Changes_When_Casefolded Changes_When_Casemapped ' +
  'Changes_When_Lowercased Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased ' +
  'Default_Ignorable_Code_Point Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic ' +
  'Grapheme_Base Grapheme_Extend Hex_Digit IDS_Binary_Operator IDS_Trinary_Operator ID_Continue ID_Start Join_Control ' +
  'Logical_Order_Exception Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Regional_Indicator ' +
  'Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Variation_Selector White_Space XID_Continue XID_Start ' +
  'Anatolian_Hieroglyphs Canadian_Aboriginal Caucasian_Albanian Cypro_Minoan Dives_Akuru Egyptian_Hieroglyphs Gunjala_Gondi ' +
  'Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Kayah_Li Khitan_Small_Script Linear_A Linear_B ' +
  'Masaram_Gondi Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Nag_Mundari New_Tai_Lue Nyiakeng_Puachue_Hmong ' +
  'Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur ' +
  'Pahawh_Hmong Phags_Pa Psalter_Pahlavi Sora_Sompeng Syloti_Nagri Tai_Le Tai_Tham Tai_Viet Zanabazar_Square'
).split(' ')

const nameOfKey = new Map(longNames.map(name => [keyOf(name), name]))

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** The spellings to try for a loosely written name. */
export function spellingsOf(written: string): readonly string[] {
  const key = keyOf(written)
  return [key, key.replace(/^is(?=.)/, '')].map(each => nameOfKey.get(each) ?? each.charAt(0).toUpperCase() + each.slice(1))
}
