/**
 * The names of the emoji people react with, as CLDR has them and as Weave writes shortcodes: `👍` is `:thumbs_up:`.
 * A name for each of the 3,800 would be a dependency; the others get a shortcode from their code points.
 */
const TABLE = `
👍 thumbs_up            👎 thumbs_down          👌 OK_hand              ✌️ victory_hand
👏 clapping_hands       🙌 raising_hands        🙏 folded_hands         🤝 handshake
👋 waving_hand          🤚 raised_back_of_hand  ✋ raised_hand          🖐️ hand_with_fingers_splayed
👊 oncoming_fist        ✊ raised_fist          🤞 crossed_fingers      🤟 love-you_gesture
🤘 sign_of_the_horns    🤙 call_me_hand         👈 backhand_index_pointing_left
👉 backhand_index_pointing_right                👆 backhand_index_pointing_up
👇 backhand_index_pointing_down                 ☝️ index_pointing_up    ✍️ writing_hand
💪 flexed_biceps        🤏 pinching_hand        🖕 middle_finger        🤌 pinched_fingers
🫶 heart_hands          🫡 saluting_face        👀 eyes                 🧠 brain
❤️ red_heart            🧡 orange_heart         💛 yellow_heart         💚 green_heart
💙 blue_heart           💜 purple_heart         🖤 black_heart          🤍 white_heart
🤎 brown_heart          💔 broken_heart         💕 two_hearts           💖 sparkling_heart
💗 growing_heart        💘 heart_with_arrow     💯 hundred_points       💢 anger_symbol
💥 collision            💫 dizzy                💦 sweat_droplets       💤 zzz
😀 grinning_face        😃 grinning_face_with_big_eyes                  😄 grinning_face_with_smiling_eyes
😁 beaming_face_with_smiling_eyes               😆 grinning_squinting_face
😅 grinning_face_with_sweat                     🤣 rolling_on_the_floor_laughing
😂 face_with_tears_of_joy                       🙂 slightly_smiling_face
🙃 upside-down_face     😉 winking_face         😊 smiling_face_with_smiling_eyes
😇 smiling_face_with_halo                       🥰 smiling_face_with_hearts
😍 smiling_face_with_heart-eyes                 🤩 star-struck          😘 face_blowing_a_kiss
😋 face_savoring_food   😜 winking_face_with_tongue                     🤪 zany_face
🤗 smiling_face_with_open_hands                 🤔 thinking_face        🤨 face_with_raised_eyebrow
😐 neutral_face         😑 expressionless_face  😶 face_without_mouth   😏 smirking_face
😒 unamused_face        🙄 face_with_rolling_eyes                       😬 grimacing_face
😌 relieved_face        😔 pensive_face         😴 sleeping_face        🤒 face_with_thermometer
🤢 nauseated_face       🤮 face_vomiting        🥵 hot_face             🥶 cold_face
🤯 exploding_head       🥳 partying_face        😎 smiling_face_with_sunglasses
🤓 nerd_face            🧐 face_with_monocle    😕 confused_face        😟 worried_face
🙁 slightly_frowning_face                       ☹️ frowning_face        😮 face_with_open_mouth
😯 hushed_face          😲 astonished_face      😳 flushed_face         🥺 pleading_face
😨 fearful_face         😰 anxious_face_with_sweat                      😢 crying_face
😭 loudly_crying_face   😱 face_screaming_in_fear                       😞 disappointed_face
😓 downcast_face_with_sweat                     😩 weary_face           😫 tired_face
😤 face_with_steam_from_nose                    😡 enraged_face         😠 angry_face
🤬 face_with_symbols_on_mouth                   😈 smiling_face_with_horns
💀 skull                💩 pile_of_poo          🤡 clown_face           👻 ghost
👽 alien                🤖 robot                🙈 see-no-evil_monkey   🙉 hear-no-evil_monkey
🙊 speak-no-evil_monkey 🤷 person_shrugging     🤦 person_facepalming   🙋 person_raising_hand
🙅 person_gesturing_NO  🙆 person_gesturing_OK  🤷‍♂️ man_shrugging        🤷‍♀️ woman_shrugging
🤦‍♂️ man_facepalming      🤦‍♀️ woman_facepalming  👨‍💻 man_technologist     👩‍💻 woman_technologist
🧑‍💻 technologist         🔥 fire                 ⭐ star                 🌟 glowing_star
✨ sparkles             ⚡ high_voltage         🎉 party_popper         🎊 confetti_ball
🎯 bullseye             🏆 trophy               🥇 1st_place_medal      🚀 rocket
✅ check_mark_button    ✔️ check_mark           ☑️ check_box_with_check ❌ cross_mark
❎ cross_mark_button    ❓ red_question_mark    ❗ red_exclamation_mark ⚠️ warning
🚫 prohibited           ⛔ no_entry             🛑 stop_sign            🚩 triangular_flag
🐛 bug                  🐞 lady_beetle          🔧 wrench               🔨 hammer
💡 light_bulb           📌 pushpin              📝 memo                 📎 paperclip
🔍 magnifying_glass_tilted_left                 🔒 locked               🔑 key
💰 money_bag            💸 money_with_wings     📈 chart_increasing     📉 chart_decreasing
⏰ alarm_clock          ⏳ hourglass_not_done   🕐 one_o’clock          🐢 turtle
🍕 pizza                ☕ hot_beverage         🍻 clinking_beer_mugs   🌈 rainbow
☀️ sun                  🌙 crescent_moon        🌹 rose                 🎁 wrapped_gift
👁️ eye                  🗑️ wastebasket          ➕ plus                 ➖ minus
🟢 green_circle         🟡 yellow_circle        🔴 red_circle           🆗 OK_button
`

export const EMOJI_NAMES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/\s+/)
    .flatMap((word, i, words) => (i % 2 === 0 ? [[word, words[i + 1] ?? ''] as const] : [])),
)
