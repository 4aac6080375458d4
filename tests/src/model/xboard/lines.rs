//! What may be sent to an engine in the protocol of WinBoard and XBoard, and what it means.

use crate::model::Line;

/// What a line means.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// `protover`.
    ProtoVer,
    /// `new`.
    New,
    /// `variant`, one that is played.
    Variant,
    /// `setboard`.
    SetBoard(&'static str),
    /// `setboard` with the same discs and the other side to move: a pass in disguise, where one has to be made.
    Disguise(&'static str),
    /// A move, a certain one or the one in the line.
    Move(Option<&'static str>),
    /// `go`.
    Go,
    /// `playother`.
    PlayOther,
    /// `force`, `result` and `exit`.
    Force,
    /// `analyze`.
    Analyze,
    /// `.`.
    Stat,
    /// `easy`.
    Easy,
    /// `hard`.
    Hard,
    /// `post`.
    Post,
    /// `nopost`.
    NoPost,
    /// `undo` and `remove`.
    TakeBack(usize),
    /// `hint`.
    Hint,
    /// `?`.
    MoveNow,
    /// `ping 7`.
    Ping,
    /// `memory N`.
    Memory(u32),
    /// `cores N`.
    Cores(usize),
    /// `option Book=…`.
    Book(&'static str),
    /// `bk`.
    ShowBook,
    /// `computer`.
    Computer,
    /// `quit`.
    Quit,
    /// What is not answered.
    Silent,
    /// A position that is none.
    FaultyBoard,
    /// A move that is none.
    FaultyMove,
    /// Another faulty line, or an unknown one.
    Faulty,
}

const ONE: &str = "XO-------------------------------------------------------------- X";
const PASS: &str = "XO-------------------------------------------------------------- O";
const OVER: &str = "XXX------------------------------------------------------------- O";
/// One move, and then a draw.
const DRAWN: &str = "XO-----------------------------------------------------------OOO X";

const fn line(text: &'static str, meaning: Says) -> Line<Says> {
    Line { text, meaning }
}

/// Every kind of line, good and bad.
pub(super) const LINES: &[Line<Says>] = &[
    line("xboard", Says::Silent),
    line("protover 2", Says::ProtoVer),
    line("new", Says::New),
    line("variant othello", Says::Variant),
    line("variant reversi", Says::Variant),
    line("variant flipello", Says::Variant),
    line("variant chess", Says::Faulty),
    line("setboard Dd6/8/8/8/8/8/8/8 w - - 0 1", Says::SetBoard("row 8")),
    line("setboard 8/8/8/8/8/8/8/Dd6 w - - 0 1", Says::SetBoard(ONE)),
    line("setboard 8/8/8/8/8/8/8/Dd6 b - - 0 1", Says::SetBoard(PASS)),
    line("setboard 8/8/8/8/8/8/8/DD6 w - - 0 1", Says::Disguise(PASS)),
    line("setboard 8/8/8/8/8/8/8/DDD5 b - - 0 1", Says::SetBoard(OVER)),
    line("setboard 5ddd/8/8/8/8/8/8/Dd6 w - - 0 1", Says::SetBoard(DRAWN)),
    line("setboard 8/8", Says::FaultyBoard),
    line("usermove {move}", Says::Move(None)),
    line("usermove {reply}", Says::Move(None)),
    line("{move}", Says::Move(None)),
    line("usermove D@h8", Says::Move(Some("h8"))),
    line("@@@@", Says::Move(Some("PA"))),
    line("usermove e2e4", Says::FaultyMove),
    line("go", Says::Go),
    line("playother", Says::PlayOther),
    line("force", Says::Force),
    line("result 1-0 {Black wins}", Says::Force),
    line("exit", Says::Force),
    line("analyze", Says::Analyze),
    line(".", Says::Stat),
    line("level 40 5 0", Says::Silent),
    line("level 40", Says::Faulty),
    line("st 0.05", Says::Silent),
    line("st x", Says::Faulty),
    line("sd 6", Says::Silent),
    line("sd 0", Says::Faulty),
    line("time 100", Says::Silent),
    line("time x", Says::Faulty),
    line("otim 200", Says::Silent),
    line("easy", Says::Easy),
    line("hard", Says::Hard),
    line("post", Says::Post),
    line("nopost", Says::NoPost),
    line("undo", Says::TakeBack(1)),
    line("remove", Says::TakeBack(2)),
    line("hint", Says::Hint),
    line("?", Says::MoveNow),
    line("ping 7", Says::Ping),
    line("ping x", Says::Faulty),
    line("memory 32", Says::Memory(32)),
    line("memory 64", Says::Memory(64)),
    line("memory x", Says::Faulty),
    line("cores 2", Says::Cores(2)),
    line("cores 1", Says::Cores(1)),
    line("cores 0", Says::Faulty),
    line("option Margin=100", Says::Silent),
    line("option Selective=0", Says::Silent),
    line("option Selective=1", Says::Silent),
    line("option Selective=x", Says::Faulty),
    line("option Book=lines.txt", Says::Book("lines.txt")),
    line("option Book=missing.txt", Says::Book("missing.txt")),
    line("option Book=", Says::Book("")),
    line("option Volume=3", Says::Faulty),
    line("bk", Says::ShowBook),
    line("computer", Says::Computer),
    line("accepted setboard", Says::Silent),
    line("rejected setboard", Says::Silent),
    line("random", Says::Silent),
    line("name somebody", Says::Silent),
    line("rating 1 2", Says::Silent),
    line("ics -", Says::Silent),
    line("draw", Says::Silent),
    line("book", Says::Silent),
    line("pause", Says::Silent),
    line("resume", Says::Silent),
    line("white", Says::Silent),
    line("black", Says::Silent),
    line("nps 0", Says::Silent),
    line("egtpath x", Says::Silent),
    line("quit", Says::Quit),
    line("", Says::Silent),
    line("uci", Says::Faulty),
];
